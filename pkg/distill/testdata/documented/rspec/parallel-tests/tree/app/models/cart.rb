class Cart
end
