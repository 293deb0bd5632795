/** Small dialogs: one text field, and the list of keys. */
import { button, element } from "../../shared/elements.ts";
import { type Commands, GROUPS, keyText } from "../commands.ts";

/** Opens a dialog with a title and a close button. It is removed when it is closed. */
export function openDialog(
  title: string,
  className: string,
  ...content: readonly (Node | string)[]
): HTMLDialogElement {
  const dialog = element("dialog", className) as HTMLDialogElement;
  dialog.setAttribute("aria-label", title);
  const close = button("close", () => dialog.close());
  close.className = "text-button";
  dialog.append(element("header", "", element("h2", "", title), close), ...content);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Asks for one line of text. */
export function askText(title: string, current: string, hint: string, onText: (text: string) => void): void {
  const input = element("input", "") as HTMLInputElement;
  input.value = current;
  input.setAttribute("aria-label", hint === "" ? title : `${title}: ${hint}`);
  const form = element("form", "row", input, element("button", "primary", "OK"));
  const dialog = openDialog(title, "ask", form, ...(hint === "" ? [] : [element("p", "hint", hint)]));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    onText(input.value);
  });
  input.focus();
  input.select();
}

export function openHelp(commands: Commands): void {
  const sections = GROUPS.map((group) =>
    element(
      "section",
      "",
      element("h3", "", group),
      ...commands.list
        .filter((command) => command.group === group && command.keys.length > 0 && !/^flight-[2-9]$/.test(command.id))
        .map(({ label, keys, id }) =>
          element(
            "p",
            "",
            element("span", "", id === "flight-1" ? "choose a flight" : label),
            element(
              "span",
              "",
              ...(id === "flight-1"
                ? [element("kbd", "", "1 … 9")]
                : keys.slice(0, 1).map((key) => element("kbd", "", keyText(key)))),
            ),
          ),
        ),
    ),
  );
  const about =
    "Drag in the scene to turn the camera; drag with the right button or two fingers to move it, and with Shift to scrub through time. The wheel zooms. Drag in a plot to zoom in, and with Shift to pan; double-click to show the whole flight. In the description, Ctrl+Enter goes to the event at the cursor. By hand (J), W A S D move the vehicle, ↑ ↓ climb, ← → turn, Shift is faster, and Esc ends it.";
  openDialog("Keys", "help", element("p", "", about), element("div", "keys", ...sections));
}
