// Before the first paint: the colours that were chosen, and the question who is signed in, asked while the page still loads.
export {};

declare global {
  interface Window {
    /** The answer to the first question, for whoever asks it first. */
    guerdonMe?: Promise<Response>;
  }
}

let chosen: string | null = null;
try {
  chosen = localStorage.getItem("guerdon.colours");
} catch {
  // A browser that keeps nothing shows what the system wants.
}
const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.mantineColorScheme = dark ? "dark" : "light";

if (!/^\/(sign-in|welcome)$/.test(location.pathname)) {
  window.guerdonMe = fetch("/dashboard/v1/me", { headers: { "x-project-id": "-" } });
  // Whoever asks for it hears of the failure; nobody may have asked yet.
  window.guerdonMe.catch(() => undefined);
}
