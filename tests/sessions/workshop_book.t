A notebook without its outputs.

  $ cat > outputs.py << 'END'
  > import sys
  > import nbformat
  > notebook = nbformat.read("my_first_job.ipynb", as_version=4)
  > if sys.argv[1:] == ["add"]:
  >     code = next(cell for cell in notebook.cells if cell.cell_type == "code")
  >     code.outputs = [nbformat.v4.new_output("stream", text="hello")]
  >     nbformat.write(notebook, "my_first_job.ipynb")
  > print(sum(len(cell.get("outputs", ())) for cell in notebook.cells), "outputs")
  > END
  $ cp notebooks/first_job.ipynb my_first_job.ipynb
  $ python outputs.py add
  1 outputs
  $ workshop book strip my_first_job.ipynb
  stripped my_first_job.ipynb
  $ python outputs.py
  0 outputs
