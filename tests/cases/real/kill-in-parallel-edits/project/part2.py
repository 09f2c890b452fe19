part2_0 = 'after call-parallel-6-001-03'
last = 1
