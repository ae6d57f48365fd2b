module Shop
  def self.label(user)
    name = user[:name].strip
    name.empty? ? 'anonymous' : name
  end
end
