import { t } from "../text/index.js";
import { toast } from "../ui/toast.js";

const place = "guerdon.upgraded";

/**
 * A tab that stood open over an upgrade asks for parts of pages that are not there any more. The router then loads the page anew; this
 * says so afterwards. What was typed into a form that keeps drafts is kept by then.
 */
export function tellOfUpgrades(): void {
  addEventListener("vite:preloadError", () => {
    try {
      sessionStorage.setItem(place, "yes");
    } catch {}
  });
  try {
    if (sessionStorage.getItem(place) === null) return;
    sessionStorage.removeItem(place);
    toast(t.states.upgraded);
  } catch {}
}
