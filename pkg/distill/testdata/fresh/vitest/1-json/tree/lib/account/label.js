
function label(user) {
  const name = user.name.trim();
  return name || 'anonymous';
}

export { label };
