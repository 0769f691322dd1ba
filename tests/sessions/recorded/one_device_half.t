# recorded 2026-11-29 with torch 2.14.1
What the two half-precision formats of torch can hold, and why ddp_fast.py takes bfloat16.

  $ cat > half.py <<'END'
  > import torch
  > for dtype in (torch.float16, torch.bfloat16):
  >     values = torch.tensor([70000.0, 1.001, 1e-8]).to(dtype)
  >     print(dtype, *(f"{value:.6g}" for value in values.tolist()))
  > END
  $ python half.py
  torch.float16 inf 1.00098 0
  torch.bfloat16 70144 1 1.00117e-08
