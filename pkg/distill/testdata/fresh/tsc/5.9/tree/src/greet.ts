import { User } from "./user";
export function greet(u: User): string {
  return u.nmae + u.age.toFixd(1);
}
