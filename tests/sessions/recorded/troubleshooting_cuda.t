# recorded 2026-11-29 without a scheduler
PyTorch built for CUDA where no GPU is visible.

  $ python -c "import torch; print(torch.version.cuda)"
  13.0
  $ python -c "import torch; torch.ones(1).cuda()" 2>&1 | tail -n 1 | fold -s
  RuntimeError: Found no NVIDIA driver on your system. Please check that you have 
  an NVIDIA GPU and installed a driver from 
  http://www.nvidia.com/Download/index.aspx
