/** A file comes from here, whatever address the service believes to have. */
export const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
};
