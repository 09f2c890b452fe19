part0_0 = 'after call-parallel-6-001-01'
last = 1
