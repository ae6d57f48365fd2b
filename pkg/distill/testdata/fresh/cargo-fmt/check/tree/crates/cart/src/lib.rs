pub struct Cart {
    items: Vec<f64>,
}

impl Cart {
    pub fn new() -> Self {
        Cart { items: vec![] }
    }

    pub fn add(mut self, p: f64) -> Self {
        self.items.push(p);
        self
    }

    pub fn total(&self) -> i64 {
        money::cents(self.items.iter().sum())
    }

    pub fn first(&self) -> f64 {
        *self.items.first().unwrap()
    }
}
