import { User } from '../model/user';

export function label(user: User): string {
  return user.name.trim();
}

export const first: string = label({ id: 'a1' });
export const none = missing(3);
