export function label(user: { name: string | null }): string {
  return user.name!.trim();
}
