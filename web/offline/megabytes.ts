/** "6.1 MB" */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
