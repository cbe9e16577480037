// Times and dates for people, as the server's pages write them: 8:39:43 PM, 03/01/2025.
export function clockText(at, options = {}) {
  const timeZone = document.documentElement.dataset.clock;
  // Some browsers part AM and PM by a narrow blank, which nothing else on the pages has.
  return new Date(at).toLocaleTimeString("en-US", { timeZone, ...options }).replace("\u202f", " ");
}

export const dateText = (day) => day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1");
