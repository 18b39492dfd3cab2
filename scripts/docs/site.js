// The theme that is chosen here is the page's, too.
document.getElementById('tsd-theme')?.addEventListener('change', ({ target }) => {
  try {
    localStorage.setItem('fovea.theme', target.value === 'os' ? 'auto' : target.value);
  } catch {
    // Storage can be switched off.
  }
});
