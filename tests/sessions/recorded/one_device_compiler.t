# recorded 2026-11-29 with torch 2.14.1
torch.compile, as in ddp_fast.py --compile, on a CPU where no C++ compiler is: the variable CXX names the one to use.

  $ cat > fast.py <<'END'
  > import torch
  > double = torch.compile(lambda x: x * 2)
  > print(double(torch.ones(2)))
  > END
  $ CXX=no-such-compiler python fast.py > fast.log 2>&1
  [1]
  $ grep InvalidCxxCompiler: fast.log | fold -s -w 72
  torch._inductor.exc.InductorError: InvalidCxxCompiler: No working C++ 
  compiler found in torch._inductor.config.cpp.cxx: (None, 
  'no-such-compiler')
