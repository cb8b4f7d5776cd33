// Before anything is painted: a page must not flash in the other theme. A file of its own, because no script stands in the page.
try {
  const theme = new URLSearchParams(location.search).get('theme') ?? localStorage.getItem('holdfast.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the theme of the system.
}
