import { signal } from './signal';

/** True from the first answer that refuses the session, until somebody signs in again. The page stays as it is. */
export const sessionEnded = signal(false);
