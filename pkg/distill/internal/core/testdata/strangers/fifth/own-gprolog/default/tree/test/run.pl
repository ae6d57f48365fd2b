:- initialization(consult('src/kin.pl')).

t('ann has grandchildren', grand(ann, cy)).
t('nobody is his own sibling', \+ sibling(cy, cy)).
t('cousins are unknown', \+ grand(bo, _)).
t('cy and di are siblings', sibling(cy, di)).
t('aunts are found', aunt(_, _)).

run(Name, Goal) :-
	catch((call(Goal) -> R = yes ; R = no), E, R = raised(E)),
	format("~w? ~w~n", [Name, R]),
	( R = yes -> true ; g_read(bad, N), M is N + 1, g_assign(bad, M) ).

main :-
	g_assign(bad, 0),
	( t(Name, Goal), run(Name, Goal), fail ; true ),
	g_read(bad, N), format("unproved: ~d of 5~n", [N]),
	( N = 0 -> halt(0) ; halt(1) ).
