package b

const B = 1
