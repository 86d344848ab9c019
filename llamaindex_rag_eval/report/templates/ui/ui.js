'use strict';
// The dots of a chart are one stop of the Tab key; arrow keys lead from one to the next.
for (const chart of document.querySelectorAll('svg.trend')) {
  const dots = [...chart.querySelectorAll('a')].sort((a, b) => a.getBBox().x - b.getBBox().x);
  const reading = chart.nextElementSibling;
  const show = (event) => {
    const dot = event.target.closest('a');
    if (dot) reading.textContent = dot.getAttribute('aria-label');
  };
  chart.addEventListener('focusin', show);
  chart.addEventListener('mouseover', show);
  chart.addEventListener('keydown', (event) => {
    const here = dots.indexOf(document.activeElement);
    const there = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: dots.length - 1 }[event.key];
    if (here < 0 || dots[there] === undefined) return;
    event.preventDefault();
    dots.forEach((dot, place) => dot.setAttribute('tabindex', place === there ? '0' : '-1'));
    dots[there].focus();
  });
}
