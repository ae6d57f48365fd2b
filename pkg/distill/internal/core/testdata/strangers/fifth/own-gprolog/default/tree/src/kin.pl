parent(ann, bo).
parent(bo, cy).
parent(bo, di).
grand(X, Z) :- parent(X, Y), parent(Y, Z).
sibling(X, Y) :- parent(P, X), parent(P, Y).
