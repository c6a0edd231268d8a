import { dictionary } from '@zxcvbn-ts/language-common';

/** Shorter passwords are refused because of their length. */
const SHORTEST = 12;

/** Long passwords in published lists of leaked passwords that the dictionary lacks. */
const FURTHER = [
  '000000000000',
  '111111111111',
  '121212121212',
  '123123123123',
  '123456123456',
  '1234567890123',
  '12345678901234',
  '123456789012345',
  '1234567890123456',
  '123456789101112',
  '123456789123456789',
  '1234567890-=',
  '1q2w3e4r5t6y7u',
  '1q2w3e4r5t6y7u8i',
  'abcdefghijkl',
  'abcdefghijklmnop',
  'abcdefghijklmnopqrstuvwxyz',
  'aaaaaaaaaaaa',
  'admin1234567',
  'admin12345678',
  'adminadminadmin',
  'administrator1',
  'asdfasdfasdf',
  'asdfghjklqwertyuiop',
  'changemechangeme',
  'changeme1234',
  'correcthorsebatterystaple',
  'football1234',
  'iloveyou1234',
  'iloveyouforever',
  'iloveyousomuch',
  'letmeinletmein',
  'letmein12345',
  'p@ssw0rd1234',
  'password12345',
  'password123456',
  'password1234567',
  'password12345678',
  'password123456789',
  'password123!',
  'passw0rd1234',
  'qwer1234asdf',
  'qwerqwerqwer',
  'qwerty1234567',
  'qwerty12345678',
  'qwertyqwerty',
  'qwertyuiop1234',
  'qwertyuiop[]',
  'qwertyuiopasdf',
  'qwertyuiopasdfghjkl',
  'qwertyuiopasdfghjklzxcvbnm',
  'secretsecret',
  'welcome12345',
  'welcome123456',
  'zxcvbnm12345',
  'zxcvbnm123456',
  'zxcvbnmasdfghjkl',
  'zxcvbnmzxcvbnm',
] as const;

/** Frequent passwords of 12 and more characters in lists of leaked passwords, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...dictionary['passwords-common']
    .map((password) => password.toLowerCase())
    .filter(({ length }) => length >= SHORTEST),
  ...FURTHER,
]);
