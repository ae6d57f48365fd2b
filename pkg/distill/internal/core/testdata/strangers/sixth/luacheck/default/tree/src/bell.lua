return function(n)
  for i = 1, n do
    print("ding")
  end
end
