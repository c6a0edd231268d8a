const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** True if a text may be an e-mail address; the server checks more precisely. */
export const isEmail = (text: string): boolean => EMAIL.test(text.trim());
