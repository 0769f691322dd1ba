# recorded 2026-11-28 with slurm-wlm 22.05.8
PyTorch built for CUDA where no GPU is visible.

#show
  $ python -c "import torch; print(torch.__version__, torch.version.cuda, torch.cuda.is_available())"
  2.14.1+cu130 13.0 False
  $ python -c "import torch; torch.ones(1).cuda()" 2>&1 | tail -n 1 | fold -s -w 80
  RuntimeError: Found no NVIDIA driver on your system. Please check that you have 
  an NVIDIA GPU and installed a driver from 
  http://www.nvidia.com/Download/index.aspx
