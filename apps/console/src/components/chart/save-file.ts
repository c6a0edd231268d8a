/** Saves a file through the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started when the click returns, but the browser continues to read.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
