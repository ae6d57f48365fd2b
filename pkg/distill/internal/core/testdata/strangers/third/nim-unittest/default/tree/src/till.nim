proc total*(items: seq[(int, int)]): int =
  for (cents, n) in items: result += cents
proc change*(paid, due: int): int =
  if paid < due: raise newException(ValueError, "paid too little: " & $paid)
  paid - due
