const  a = 1
