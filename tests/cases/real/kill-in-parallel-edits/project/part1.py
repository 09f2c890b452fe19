part1_0 = 'after call-parallel-6-001-02'
last = 1
