package b

const B = 1 + undef
