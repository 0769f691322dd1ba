"""The project's test run: packing tests onto the cores, receipts, CPU time, and the table at the end."""
