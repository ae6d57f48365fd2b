function! Total(items)
  let t = 0
  for i in a:items | let t += i[0] | endfor
  return t
endfunction
