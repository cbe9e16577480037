// Times and dates for people, as the server's pages write them by the house's locale: 8:39:43 PM and 03/01/2025, or
// 20:39:43 and 2025-03-01.
const isIso = () => document.documentElement.dataset.locale === "iso";

export function clockText(at, options = {}) {
  const timeZone = document.documentElement.dataset.clock;
  const hours = isIso() ? { hourCycle: "h23" } : {};
  // Some browsers part AM and PM by a narrow blank, which nothing else on the pages has.
  return new Date(at).toLocaleTimeString("en-US", { timeZone, ...hours, ...options }).replace("\u202f", " ");
}

export const dateText = (day) => (isIso() ? day : day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1"));
