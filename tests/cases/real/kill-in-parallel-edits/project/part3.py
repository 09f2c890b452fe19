part3_0 = 'after call-parallel-6-001-04'
last = 1
