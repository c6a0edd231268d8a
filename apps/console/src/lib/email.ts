const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Whether a text may be an e-mail address; the server looks closer. */
export const isEmail = (text: string): boolean => EMAIL.test(text.trim());
