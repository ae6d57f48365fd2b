BEGIN{FS=","}{if($1=="alpha"&&s[$1])next;s[$1]+=$2}END{for(k in s)print k,s[k]}
