fn main() {
    let v: Vec<i32> = vec![];
    println!("{}", v[0]);
}
