exports.view = (user) => `Hello ${user.name.first}`;
