// What people call a check, as the server's pages write it.
const names = JSON.parse(document.body.dataset.tradeNames ?? "{}");

export const checkName = (check) => names[check] ?? check.replaceAll("_", " ");
