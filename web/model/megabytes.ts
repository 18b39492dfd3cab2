/** "7.2 MB", as files are measured: 10⁶ bytes; "43 kB" where that would be less than 0.1 MB. */
export const megabytes = (bytes: number): string =>
  bytes < 1e5 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
