import { setPriority } from 'node:os';

const PRIORITY = -10;

/**
 * Gives the calling thread priority over all others if the system allows it. For separate threads that measure answers:
 * in reality the client runs on another machine, and its wait for a processor of this machine says nothing about the
 * product.
 */
export function goFirst() {
  // On other systems this would set the priority of the whole process and of all its children.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, PRIORITY);
  } catch {
    console.error('What measures waits for a processor like all others: only root may give it a higher priority.');
  }
}
