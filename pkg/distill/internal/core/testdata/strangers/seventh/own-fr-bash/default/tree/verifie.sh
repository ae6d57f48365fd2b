#!/bin/bash
. ./caisse.sh

reussis=0 echecs=0
verifie() {
    local nom=$1 voulu=$2; shift 2
    local obtenu; obtenu=$("$@" 2>&1)
    if [ "$obtenu" = "$voulu" ]; then
        echo "[ RÉUSSI ] $nom"; reussis=$((reussis + 1))
    else
        echo "[ ÉCHEC ] $nom"
        echo "    attendu : $voulu"
        echo "    obtenu  : $obtenu"
        echecs=$((echecs + 1))
    fi
}

verifie "le total des prix" 5 total 2 3
verifie "la tva à vingt pour cent" 20 tva 100
verifie "le total de rien" 0 total
verifie "le rendu de monnaie" 3 rendu 10 7

echo
echo "$((reussis + echecs)) vérifications, $reussis réussies, $echecs échouées"
[ $echecs -eq 0 ]
