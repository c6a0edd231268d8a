const SHOWN_MS = 2000;

/** A button in every block of code that puts it on the clipboard. */
export function offerCopies(): void {
  // Browsers give the clipboard to pages of https and of this machine only.
  if (!('clipboard' in navigator)) return;
  for (const block of document.querySelectorAll<HTMLElement>('figure.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    const state = document.createElement('span');
    state.className = 'unseen';
    state.role = 'status';
    button.addEventListener('click', () => void copy(block, button, state));
    block.append(button, state);
  }
}

async function copy(block: HTMLElement, button: HTMLElement, state: HTMLElement): Promise<void> {
  let outcome = 'Copied';
  try {
    await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
  } catch {
    outcome = 'The browser did not allow it';
  }
  button.textContent = state.textContent = outcome;
  setTimeout(() => {
    button.textContent = 'Copy';
    state.textContent = '';
  }, SHOWN_MS);
}
