import { setPriority } from 'node:os';

const PRIORITY = -10;

/**
 * Lets the calling thread go before all others where the system allows it. To be called in a thread of its own by what
 * measures answers: in reality the client is another machine, and what it waits for a processor of this one says nothing
 * about the product.
 */
export function goFirst() {
  // Elsewhere this would be the priority of the whole process, and of all that it starts.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, PRIORITY);
  } catch {
    console.error('What measures waits for a processor like all others: only root may give it a higher priority.');
  }
}
