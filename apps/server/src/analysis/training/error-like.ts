/** Words of names whose rising is bad news, however often it comes again. */
const BAD_NEWS =
  /(?:^|[^a-z0-9])(?:err(?:or)?s?|fail(?:ed|ures?|ing|s)?|faults?|exceptions?|time-?outs?|panics?|crash(?:es|ed)?|reject(?:ed|ions?|s)?|drop(?:ped|s)?|lost|loss|unavailable|5xx|5\d\d|oom|kill(?:ed|s)?|deadlocks?|dead|retransmit(?:s|ted)?)(?![a-z0-9])/;

/** Whether a metric counts failures: what repeats there is not taken for normal by the machine. */
export function isErrorLike({ name, labels }: { name: string; labels: Readonly<Record<string, string>> }): boolean {
  const words = [name, ...Object.values(labels)].join(' ');
  // `requestErrors` as `request errors`.
  return BAD_NEWS.test(words.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());
}
