class Price
  def total(items)
    items.sum { |i| i[:price] }
  end

  def label(user)
    user.name.upcase
  end
end
