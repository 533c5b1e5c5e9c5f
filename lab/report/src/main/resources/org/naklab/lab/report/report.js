'use strict';
(() => {
  const data = JSON.parse(document.getElementById('run-data').textContent);
  const MAX_BOUNDARIES = 90;
  const GRID_TOP_PX = 22;
  const GRID_BOTTOM_PX = 36;
  const US_PER_SECOND = 1e6;
  // After Okabe and Ito: told apart by those who see no red or no green.
  const LIGHT = {
    ground: '#ffffff', ink: '#1b2330', faint: '#5b6676', line: '#d7dbe2', stall: 'rgba(196, 70, 1, .15)', warm: 'rgba(91, 102, 118, .16)',
    mds: '#c44601', gateway: '#0b62a8', exchange: '#00866a', other: '#7a4fb5', free: '#0b62a8', cached: '#a87900', limits: '#5b6676',
  };
  const DARK = {
    ground: '#12161d', ink: '#e5e9f0', faint: '#9aa6b8', line: '#343d4b', stall: 'rgba(255, 138, 91, .22)', warm: 'rgba(154, 166, 184, .2)',
    mds: '#ff8a5b', gateway: '#76b3f5', exchange: '#3ec9a7', other: '#c3a3f5', free: '#76b3f5', cached: '#e8bd2e', limits: '#9aa6b8',
  };
  const FONT = getComputedStyle(document.body).fontFamily;
  const NARROW_PX = 480;
  const BEFORE_S = .15;
  const AFTER_S = .45;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const at = id => document.getElementById(id);
  const whole = [data.from / US_PER_SECOND, data.to / US_PER_SECOND];
  // What happened after a stall takes longer to see after a long one.
  const focus = () => {
    const [begin, end] = data.focus.map(us => us / US_PER_SECOND);
    return [Math.max(whole[0], begin - Math.max(BEFORE_S, (end - begin) / 4)), Math.min(whole[1], end + Math.max(AFTER_S, (end - begin) / 2))];
  };
  let palette = dark.matches ? DARK : LIGHT;
  let range = data.focus && focus()[1] > focus()[0] ? focus() : whole;
  let plots = [];
  let pointed = null;

  // --- figures as people read them
  const round = (value, digits) => Number(value.toFixed(digits)).toLocaleString('en', {maximumFractionDigits: digits});
  const inUnit = (value, digitsOf) => {
    const units = ['B', 'KiB', 'MiB', 'GiB'];
    let unit = 0;
    while (Math.abs(value) >= 1024 && unit < units.length - 1) { value /= 1024; unit++; }
    return round(value, unit === 0 ? 0 : digitsOf(value)) + ' ' + units[unit];
  };
  const bytes = value => inUnit(value, scaled => scaled < 10 ? 2 : scaled < 100 ? 1 : 0);
  // Its axes do not begin at 0, and what changes is little: a unit that leaves whole numbers.
  const memory = value => round(value / 1048576, Math.abs(value) % 1048576 === 0 ? 0 : 1) + ' MiB';
  const short = value => Math.abs(value) >= 1e6 ? round(value / 1e6, 1) + ' M' : Math.abs(value) >= 1e4
    ? round(value / 1e3, 0) + ' k' : round(value, 2);
  const FORMATS = {
    bytes, memory, ms: value => round(value, value < 10 ? 2 : 1) + ' ms', count: short,
    'per second': value => short(value) + (Math.abs(value) >= 1e4 ? 'B/s' : ' B/s'),
  };
  // An axis has one unit, which its title names.
  const BYTE_UNITS = [['MiB', 1048576], ['KiB', 1024], ['B', 1]];
  const byteUnit = most => BYTE_UNITS.find(([, size]) => most >= size) || BYTE_UNITS[2];
  const unitOf = (unit, most) => unit === 'memory' ? BYTE_UNITS[0] : unit === 'bytes' ? byteUnit(most)
    : unit === 'per second' ? (most >= 1e6 ? ['MB/s', 1e6] : most >= 1e3 ? ['kB/s', 1e3] : ['B/s', 1]) : unit === 'ms' ? ['ms', 1] : ['', 1];
  const tickSeconds = value => round(value, range[1] - range[0] < .1 ? 5 : range[1] - range[0] < 5 ? 3 : 1);
  const seconds = value => tickSeconds(value) + ' s';
  const signed = ms => (ms < 0 ? '\u2212' : '+') + round(Math.abs(ms), 3) + ' ms';
  const timeOfDay = value => data.originEpochMs === undefined ? ''
    : new Date(data.originEpochMs + value * 1000).toISOString().slice(11, 23) + ' UTC';

  // A series has one place in all legends: the service, the gateways, the sender, and last the limits.
  const placeOf = series => (series.kind === 'limit' ? 4 : 0) + (['mds', 'gateway', 'exchange'].findIndex(name => series.colour.startsWith(name)) + 4) % 4;
  data.charts.forEach(chart => chart.series.sort((one, other) => placeOf(one) - placeOf(other)));

  // A process has one colour in all charts.
  const colourOf = key => palette[key] || (key.startsWith('gateway') ? palette.gateway : palette.other);

  const curves = new Map();
  const curveOf = series => {
    if (!curves.has(series)) {
      let time = 0;
      const x = series.x.map(step => (time += step) / US_PER_SECOND);
      curves.set(series, {x, y: series.y.map(y => y / series.divisor)});
    }
    return curves.get(series);
  };
  // A value holds until the next one.
  const valueAt = (series, time) => {
    const {x, y} = curveOf(series);
    let low = 0;
    let high = x.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (x[middle] <= time) { low = middle + 1; } else { high = middle; }
    }
    return low === 0 ? null : y[low - 1];
  };

  const linePoints = series => { const {x, y} = curveOf(series); return x.map((time, i) => [time, y[i]]); };
  // Of a counter, a spike wherever it grew.
  const tickPoints = series => {
    const {x, y} = curveOf(series);
    const points = [];
    for (let i = 1; i < x.length; i++) {
      if (y[i] > y[i - 1]) { points.push([x[i], 0], [x[i], y[i] - y[i - 1]], [x[i], '-']); }
    }
    return points;
  };
  const mostOf = (chart, right, [from, to] = whole) => Math.max(0, ...chart.series.filter(series => series.right === right).map(series => {
    const points = (series.kind === 'ticks' ? tickPoints(series) : linePoints(series)).filter(([time, y]) => time >= from && time <= to && Number.isFinite(y));
    const before = series.kind === 'ticks' ? 0 : valueAt(series, from) || 0;
    return points.reduce((most, point) => Math.max(most, point[1]), before);
  }));

  // Labels would overlap: of many boundaries only lines are drawn, of too many none.
  const boundaries = () => {
    if (!data.seconds) { return []; }
    const first = Math.ceil(range[0]);
    const last = Math.floor(range[1]);
    if (last - first > MAX_BOUNDARIES) { return []; }
    return Array.from({length: last - first + 1}, (unused, i) => ({xAxis: first + i}));
  };
  // Of labels that would lie upon each other, the one of the chain stays, and of two of those the first.
  const LABEL_PX = 15;
  const labelled = widthPx => {
    const pxOf = mark => (mark.at / US_PER_SECOND - range[0]) / (range[1] - range[0]) * widthPx;
    const shown = [];
    data.marks.slice().sort((one, other) => (one.kind === 'boundary') - (other.kind === 'boundary') || one.at - other.at).forEach(mark => {
      if (shown.every(each => Math.abs(pxOf(each) - pxOf(mark)) >= LABEL_PX)) { shown.push(mark); }
    });
    return new Set(shown);
  };
  const marksOf = (isFirst, shown) => data.marks.filter(mark => mark.kind !== 'boundary' || isFirst).map(mark => ({
    xAxis: mark.at / US_PER_SECOND, name: mark.text,
    lineStyle: {color: palette.ink, type: mark.kind === 'boundary' ? 'dotted' : 'solid', width: 1, opacity: isFirst ? .8 : .35},
    label: {show: isFirst && shown.has(mark), formatter: mark.text, position: 'insideEndTop', color: palette.ink, fontSize: 11, distance: 3, backgroundColor: palette.ground, padding: [0, 3]},
  }));

  const frame = (isFirst, widthPx) => ({
    id: 'frame', type: 'line', data: [], silent: true,
    markLine: {
      silent: true, symbol: 'none', animation: false, label: {show: false},
      lineStyle: {color: palette.faint, type: 'dotted', width: 1, opacity: .7}, data: boundaries().concat(marksOf(isFirst, labelled(widthPx))),
    },
    markArea: {
      silent: true, animation: false, itemStyle: {color: palette.stall},
      data: data.stalls.map(([begin, end]) => [{xAxis: begin / US_PER_SECOND}, {xAxis: end / US_PER_SECOND}])
        .concat(data.warmUp ? [[{
          xAxis: data.warmUp[0] / US_PER_SECOND, itemStyle: {color: palette.warm}, name: 'warm-up',
          label: {show: true, position: 'insideTop', color: palette.faint, fontSize: 11},
        }, {xAxis: data.warmUp[1] / US_PER_SECOND}]] : []),
    },
  });

  const lineOf = series => ({
    name: series.name, type: 'line', step: series.kind === 'ticks' ? false : 'end', symbol: 'none', animation: false,
    data: series.kind === 'ticks' ? tickPoints(series) : linePoints(series),
    yAxisIndex: series.right ? 1 : 0, color: colourOf(series.colour), emphasis: {disabled: true},
    lineStyle: {width: series.kind === 'limit' ? 1.4 : series.kind === 'ticks' ? 2 : 1.5, type: series.kind === 'limit' ? 'dashed' : 'solid'},
    z: series.kind === 'limit' ? 4 : 3,
  });

  // Bytes are counted in powers of two, and so are the axis' steps.
  const binaryStep = most => Math.pow(2, Math.ceil(Math.log2(Math.max(most, 4) / 4)));
  const byteRange = most => ({interval: binaryStep(most), max: Math.ceil(most / binaryStep(most)) * binaryStep(most)});

  const memoryRange = (chart, right) => {
    const least = Math.min(...chart.series.filter(series => series.right === right)
      .map(series => series.y.reduce((low, y) => Math.min(low, y), Infinity)));
    const step = Math.max(1048576, binaryStep(mostOf(chart, right) - least));
    return {interval: step, min: Math.floor(least / step) * step, max: Math.ceil((mostOf(chart, right) + 1) / step) * step};
  };

  const plainRange = (most, least, parts) => {
    const raw = Math.max(most, least) / parts;
    const power = 10 ** Math.floor(Math.log10(raw));
    const interval = [1, 2, 5, 10].map(step => step * power).find(step => step >= raw * .999);
    return {interval, max: Math.ceil(Math.max(most, least) / interval * .999) * interval};
  };

  // An axis fits the part of the run that is shown.
  const axisOf = (chart, unit, right) => ({
    type: 'value', min: 0,
    ...(unit === 'bytes' ? byteRange(mostOf(chart, right, range)) : unit === 'memory' ? memoryRange(chart, right)
      : plainRange(mostOf(chart, right, range), unit === 'count' ? 4 : .1, chart.isStrip ? 2 : 3)),
    position: right ? 'right' : 'left', axisLine: {show: false}, axisTick: {show: false},
    splitLine: {show: !right, lineStyle: {color: palette.line}},
    axisLabel: {color: palette.faint, fontSize: 11, formatter: value => round(value / unitOf(unit, mostOf(chart, right, range))[1], 2), showMaxLabel: true},
  });

  const axisTitle = (text, side) => ({
    text, [side]: 0, top: 2, padding: 0, textStyle: {color: palette.faint, fontSize: 11, fontWeight: 'normal'},
  });

  const sidesOf = chart => [[chart.left, 'left', false]].concat(chart.right.unit ? [[chart.right, 'right', true]] : []);
  const axesOf = chart => sidesOf(chart).map(([side, , isRight]) => axisOf(chart, side.unit, isRight));
  const titlesOf = chart => sidesOf(chart).map(([side, place, isRight]) => {
    const unit = unitOf(side.unit, mostOf(chart, isRight, range))[0];
    return axisTitle(side.title + (unit && !side.title.endsWith(unit) ? ', ' + unit : ''), place);
  });

  const LEFT_PX = narrow => narrow ? 58 : 78;
  const RIGHT_PX = narrow => narrow ? 46 : 74;
  const NO_AXIS_PX = 14;
  const isBesideAnswer = chart => Boolean(at('chart-' + chart.id).closest('#picture'));
  // Charts below each other begin and end at the same place.
  const hasRightAxis = data.charts.some(chart => chart.right.unit && !isBesideAnswer(chart));
  const rightPx = (chart, narrow) => chart.right.unit || (hasRightAxis && !isBesideAnswer(chart)) ? RIGHT_PX(narrow) : NO_AXIS_PX;

  const plotWidth = (chart, element, narrow) => element.clientWidth - LEFT_PX(narrow) - rightPx(chart, narrow);

  const optionOf = (chart, isFirst, narrow, widthPx) => ({
    animation: false, backgroundColor: 'transparent', textStyle: {fontFamily: FONT},
    grid: {left: LEFT_PX(narrow), right: rightPx(chart, narrow), top: GRID_TOP_PX, bottom: GRID_BOTTOM_PX},
    title: titlesOf(chart),
    legend: {show: false}, tooltip: {show: false},
    xAxis: {
      type: 'value', min: whole[0], max: whole[1], name: data.label, nameLocation: 'middle', nameGap: 21,
      nameTextStyle: {color: palette.faint, fontSize: 11},
      axisLine: {lineStyle: {color: palette.line}, onZero: false}, axisTick: {show: false}, splitLine: {show: false},
      axisLabel: {color: palette.faint, fontSize: 11, formatter: tickSeconds, hideOverlap: true, showMinLabel: false, showMaxLabel: false},
      splitNumber: narrow ? 3 : 8,
    },
    yAxis: axesOf(chart),
    dataZoom: [{
      type: 'inside', filterMode: 'none', startValue: range[0], endValue: range[1], zoomOnMouseWheel: 'ctrl',
      moveOnMouseWheel: false, preventDefaultMouseMove: false,
    }],
    series: [frame(isFirst, widthPx)].concat(chart.series.map(lineOf)),
  });

  // --- the legend is text of the page: it wraps on a narrow screen
  const FORMS = {line: 'M0 5h16', limit: 'M0 5h4M6 5h4M12 5h4', ticks: 'M2 10V2M8 10V5M14 10V0'};
  const svg = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
    return element;
  };
  const largestAt = series => (series.kind === 'ticks' ? tickPoints(series) : linePoints(series))
    .reduce((largest, point) => Number.isFinite(point[1]) && point[1] > largest[1] ? point : largest, [range[0], -Infinity])[0];
  const drawLegend = chart => {
    const legend = document.querySelector('[data-legend="' + chart.id + '"]');
    legend.replaceChildren(...chart.series.map(series => {
      const entry = document.createElement(series.kind === 'limit' ? 'span' : 'button');
      if (series.kind !== 'limit') {
        entry.type = 'button';
        entry.title = 'go to the largest value of ' + series.name;
        entry.addEventListener('click', () => goTo(largestAt(series)));
      }
      const form = svg('svg', {width: 16, height: 10});
      form.append(svg('path', {d: FORMS[series.kind], stroke: colourOf(series.colour), 'stroke-width': 2, fill: 'none'}));
      entry.append(form, series.name);
      return entry;
    }));
  };

  // --- the plot of phases
  const phaseOption = narrow => ({
    animation: false, textStyle: {fontFamily: FONT},
    grid: {left: LEFT_PX(narrow), right: narrow ? 20 : 74, top: 46, bottom: 44}, title: {...axisTitle('length of the stall', 'left'), top: 25},
    legend: {
      top: 0, left: narrow ? 0 : 74, textStyle: {color: palette.ink, fontSize: 12}, itemWidth: 10, itemHeight: 10,
      data: [['this run', data.phase.own], ['runs like it', data.phase.others]].filter(each => each[1].length).map(each => each[0]),
    },
    tooltip: {
      trigger: 'item', confine: true, backgroundColor: palette.ground, borderColor: palette.line,
      textStyle: {color: palette.ink, fontSize: 12},
      formatter: item => round(item.value[0], 3) + ' ms after a second boundary, ' + round(item.value[1], 1) + ' ms long',
    },
    xAxis: {
      type: 'value', min: 0, max: 1000, name: 'ms after a second boundary', nameLocation: 'middle', nameGap: 26,
      nameTextStyle: {color: palette.faint, fontSize: 11}, axisLabel: {color: palette.faint, fontSize: 11},
      axisLine: {lineStyle: {color: palette.line}}, splitLine: {lineStyle: {color: palette.line}},
    },
    yAxis: {
      type: 'value', min: 0, name: '', splitNumber: 4, axisLabel: {color: palette.faint, fontSize: 11, formatter: FORMATS.ms},
      splitLine: {lineStyle: {color: palette.line}},
    },
    series: [
      {
        name: 'runs like it', type: 'scatter', data: data.phase.others, symbolSize: 8, color: palette.gateway,
        itemStyle: {opacity: .65},
      },
      {
        name: 'this run', type: 'scatter', data: data.phase.own, symbolSize: 13, symbol: 'diamond', color: palette.mds, z: 4,
        markArea: {
          silent: true, itemStyle: {color: palette.stall}, data: [[{xAxis: 0, name: 'first 20 ms'}, {xAxis: 20}]],
          label: {color: palette.faint, fontSize: 11, position: ['100%', 2], padding: [0, 0, 0, 6]},
        },
      },
    ],
  });

  // --- the plot of percentiles
  const NINES = ['0 %', '90 %', '99 %', '99.9 %', '99.99 %', '99.999 %', '99.9999 %', '99.99999 %'];
  const percentOf = nines => round(100 * (1 - 10 ** -nines), Math.max(0, Math.ceil(nines) - 1)) + ' %';
  const percentilesOption = narrow => ({
    animation: false, textStyle: {fontFamily: FONT},
    grid: {left: LEFT_PX(narrow), right: narrow ? 20 : 74, top: 46, bottom: 44}, title: {...axisTitle('latency', 'left'), top: 25},
    legend: {top: 0, left: narrow ? 0 : 74, textStyle: {color: palette.ink, fontSize: 12}, itemWidth: 16, itemHeight: 10},
    tooltip: {
      trigger: 'item', confine: true, backgroundColor: palette.ground, borderColor: palette.line,
      textStyle: {color: palette.ink, fontSize: 12},
      formatter: item => item.seriesName + ': ' + percentOf(item.value[0]) + ' within ' + round(item.value[1], 3) + ' ms',
    },
    xAxis: {
      type: 'value', min: 0, interval: 1, max: extent => Math.ceil(extent.max), name: 'of the events', nameLocation: 'middle', nameGap: 26,
      nameTextStyle: {color: palette.faint, fontSize: 11},
      axisLabel: {color: palette.faint, fontSize: 11, hideOverlap: true, formatter: nines => NINES[nines] || ''},
      axisLine: {lineStyle: {color: palette.line}}, splitLine: {lineStyle: {color: palette.line}},
    },
    yAxis: {
      type: 'log', name: '', axisLabel: {color: palette.faint, fontSize: 11, formatter: value => round(value, 3) + ' ms'},
      splitLine: {lineStyle: {color: palette.line}},
    },
    series: data.percentiles.map(curve => ({
      name: curve.name, type: 'line', data: curve.points, color: colourOf(curve.name), symbolSize: 4, lineStyle: {width: 1.8},
    })),
  });

  // --- drawing, and saying so: a test reads what was drawn from the page
  const note = (element, numbers) => {
    element.dataset.series = numbers.length;
    element.dataset.points = numbers.reduce((sum, each) => sum + each, 0);
    element.dataset.drawn = String(element.querySelectorAll('svg path').length > 0);
  };
  // What is folded away is drawn when it is opened.
  const isVisible = element => !element.closest('details:not([open])');

  const drawChart = (chart, isFirst, narrow) => {
    const element = at('chart-' + chart.id);
    const plot = echarts.init(element, null, {renderer: 'svg'});
    plot.setOption(optionOf(chart, isFirst, narrow, plotWidth(chart, element, narrow)));
    plot.on('datazoom', () => {
      const zoom = plot.getOption().dataZoom[0];
      setRange([zoom.startValue, zoom.endValue]);
    });
    plot.getZr().flush();
    drawLegend(chart);
    note(element, chart.series.map(series => series.x.length));
    return {plot, element, chart, isFirst};
  };
  const drawPhase = narrow => {
    const element = at('chart-phase');
    const plot = echarts.init(element, null, {renderer: 'svg'});
    plot.setOption(phaseOption(narrow));
    plot.getZr().flush();
    note(element, [data.phase.own.length, data.phase.others.length]);
    return {plot, element, chart: null};
  };
  const drawPercentiles = narrow => {
    const element = at('chart-percentiles');
    const plot = echarts.init(element, null, {renderer: 'svg'});
    plot.setOption(percentilesOption(narrow));
    plot.getZr().flush();
    note(element, data.percentiles.map(curve => curve.points.length));
    return {plot, element, chart: null};
  };
  const draw = () => {
    const narrow = document.body.clientWidth < NARROW_PX;
    plots.forEach(each => each.plot.dispose());
    plots = data.charts.filter(chart => isVisible(at('chart-' + chart.id))).map((chart, i) => drawChart(chart, i === 0, narrow));
    if (at('chart-phase') && isVisible(at('chart-phase'))) { plots.push(drawPhase(narrow)); }
    if (at('chart-percentiles')) { plots.push(drawPercentiles(narrow)); }
    drawOverview();
    showRange();
  };

  // --- the range that all charts show
  const timed = () => plots.filter(each => each.chart);
  const setRange = ([from, to]) => {
    if (Math.abs(from - range[0]) < 1e-9 && Math.abs(to - range[1]) < 1e-9) { return; }
    range = [from, to];
    const narrow = document.body.clientWidth < NARROW_PX;
    timed().forEach(({plot, element, chart, isFirst}) => {
      plot.dispatchAction({type: 'dataZoom', startValue: from, endValue: to});
      plot.setOption({series: [frame(isFirst, plotWidth(chart, element, narrow))], yAxis: axesOf(chart), title: titlesOf(chart)});
      plot.getZr().flush();
    });
    showRange();
  };
  const MIN_RANGE_S = .0005;
  const zoomTo = (from, to) => {
    const begin = Math.max(whole[0], from);
    const end = Math.min(whole[1], to);
    if (end - begin >= MIN_RANGE_S) { setRange([begin, end]); }
  };
  const showRange = () => {
    const part = value => (value - whole[0]) / (whole[1] - whole[0]) * 100;
    const text = seconds(range[0]) + ' to ' + seconds(range[1]);
    at('range').textContent = text;
    const brush = at('brush');
    brush.style.left = part(range[0]) + '%';
    brush.style.width = part(range[1]) - part(range[0]) + '%';
    brush.setAttribute('aria-valuenow', Math.round(part((range[0] + range[1]) / 2)));
    brush.setAttribute('aria-valuetext', text);
    document.body.dataset.from = range[0];
    document.body.dataset.to = range[1];
    drawWaterfall();
    hidePointed();
  };
  const scale = factor => {
    const middle = (range[0] + range[1]) / 2;
    const half = (range[1] - range[0]) / 2 * factor;
    zoomTo(middle - half, middle + half);
  };
  const moveTo = from => {
    const length = range[1] - range[0];
    const begin = Math.min(Math.max(from, whole[0]), whole[1] - length);
    zoomTo(begin, begin + length);
  };
  // By half of what is seen, and no further than the run.
  const pan = direction => moveTo(range[0] + direction * (range[1] - range[0]) / 2);
  const zoomToFocus = () => { const [from, to] = focus(); zoomTo(from, to); };
  const onClick = (id, action) => {
    const button = at(id);
    if (button) { button.addEventListener('click', action); }
  };
  onClick('zoom-all', () => zoomTo(whole[0], whole[1]));
  onClick('zoom-stall', zoomToFocus);
  onClick('zoom-in', () => scale(.5));
  onClick('zoom-out', () => scale(2));
  onClick('earlier', () => pan(-1));
  onClick('later', () => pan(1));
  // What has a time leads to it: as much around it as is seen now, and no more than the time around the stall; a line marks it.
  const goTo = time => {
    const half = Math.min(range[1] - range[0], BEFORE_S + AFTER_S) / 2;
    zoomTo(time - half, time + half);
    if (timed().length) { point(timed()[0], time); }
  };
  document.querySelectorAll('[data-at]').forEach(link => link.addEventListener('click', () => goTo(Number(link.dataset.at) / US_PER_SECOND)));

  // --- the overview: the whole run, and a frame around what the charts show
  const drawOverview = () => {
    const picture = at('overview').querySelector('svg');
    const width = 1000;
    const height = 46;
    const x = us => (us - data.from) / (data.to - data.from) * width;
    picture.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    picture.setAttribute('preserveAspectRatio', 'none');
    picture.replaceChildren();
    const box = ([begin, end], fill) => picture.append(svg('rect', {x: x(begin), width: Math.max(1, x(end) - x(begin)), y: 0, height, fill}));
    if (data.warmUp) { box(data.warmUp, palette.warm); }
    data.stalls.forEach(stall => box(stall, palette.stall));
    const chart = data.charts[0];
    if (!chart) { return; }
    const most = mostOf(chart, false) || 1;
    chart.series.filter(series => series.kind !== 'limit' && !series.right).forEach(series => {
      const points = series.kind === 'ticks' ? tickPoints(series).map(([time, y]) => [time, Number.isFinite(y) ? y : 0]) : linePoints(series);
      let last = height;
      const steps = points.map(([time, y]) => {
        const before = last;
        last = height - 2 - y / most * (height - 6);
        return 'L' + x(time * US_PER_SECOND).toFixed(1) + ' ' + before.toFixed(1) + 'V' + last.toFixed(1);
      });
      picture.append(svg('path', {
        d: 'M0 ' + (height - 2) + steps.join(''), stroke: colourOf(series.colour), fill: 'none', 'stroke-width': 1.2, 'vector-effect': 'non-scaling-stroke',
      }));
    });
  };
  const enableOverview = () => {
    const overview = at('overview');
    const brush = at('brush');
    const timeAt = event => {
      const box = overview.getBoundingClientRect();
      return whole[0] + (event.clientX - box.left) / box.width * (whole[1] - whole[0]);
    };
    let grip = null;
    overview.addEventListener('pointerdown', event => {
      const edge = Array.from(brush.children).indexOf(event.target);
      const time = timeAt(event);
      if (edge < 0 && event.target !== brush) { moveTo(time - (range[1] - range[0]) / 2); }
      grip = {edge, offset: time - range[0]};
      overview.setPointerCapture(event.pointerId);
      event.preventDefault();
      brush.focus();
    });
    overview.addEventListener('pointermove', event => {
      if (!grip) { return; }
      const time = timeAt(event);
      if (grip.edge === 0) { zoomTo(Math.min(time, range[1] - MIN_RANGE_S), range[1]); }
      else if (grip.edge === 1) { zoomTo(range[0], Math.max(time, range[0] + MIN_RANGE_S)); }
      else { moveTo(time - grip.offset); }
    });
    ['pointerup', 'pointercancel'].forEach(name => overview.addEventListener(name, () => { grip = null; }));
    brush.addEventListener('keydown', event => {
      const step = (range[1] - range[0]) / 10;
      const actions = {
        ArrowLeft: () => moveTo(range[0] - step), ArrowRight: () => moveTo(range[0] + step), ArrowUp: () => scale(.5), ArrowDown: () => scale(2),
        Home: () => moveTo(whole[0]), End: () => moveTo(whole[1]),
      };
      if (actions[event.key]) { actions[event.key](); event.preventDefault(); }
    });
  };

  // --- the chain as bars on the axis of the charts, with their times
  const drawWaterfall = () => {
    const waterfall = at('waterfall');
    if (!waterfall) { return; }
    const part = us => (us / US_PER_SECOND - range[0]) / (range[1] - range[0]) * 100;
    waterfall.replaceChildren(...data.bars.map(bar => {
      const row = document.createElement('div');
      const lane = document.createElement('span');
      const mark = document.createElement('span');
      const time = document.createElement('span');
      row.className = 'row';
      lane.className = 'lane';
      mark.className = 'bar';
      const begin = part(bar.begin);
      const end = part(bar.end);
      mark.style.left = begin + '%';
      mark.style.width = Math.max(0, end - begin) + '%';
      time.className = 'time';
      const isRight = begin > 100 - end;
      // Outside of what is shown, its time stands at the edge.
      time.style.left = Math.min(100, Math.max(0, isRight ? begin : end)) + '%';
      time.classList.toggle('before', isRight);
      time.textContent = (begin > 100 ? '\u25B8 ' : end < 0 ? '\u25C2 ' : '') + bar.name + ' ' + (document.body.clientWidth < NARROW_PX ? bar.short : bar.text);
      lane.append(mark, time);
      row.append(lane);
      row.addEventListener('click', () => goTo(bar.begin / US_PER_SECOND));
      return row;
    }));
    alignWaterfall();
  };
  // The lanes begin and end where the charts do.
  const alignWaterfall = () => {
    const first = timed().find(each => !isBesideAnswer(each.chart)) || timed()[0];
    if (!first) { return; }
    const width = first.element.clientWidth;
    const [left, right] = range.map(time => first.plot.convertToPixel({xAxisIndex: 0}, time));
    at('waterfall').querySelectorAll('.row').forEach(row => {
      const lane = row.lastElementChild;
      lane.style.left = left + 'px';
      lane.style.right = Math.max(0, width - right) + 'px';
    });
  };

  // --- one time is pointed at in all charts; each series has the value that holds then
  const hidePointed = () => {
    pointed = null;
    document.querySelectorAll('.cross, .readout, .values').forEach(element => element.remove());
  };
  const point = (own, time) => {
    if (time < range[0] || time > range[1]) { hidePointed(); return; }
    hidePointed();
    pointed = time;
    timed().forEach(({plot, element}) => {
      const cross = document.createElement('div');
      cross.className = 'cross';
      cross.style.left = plot.convertToPixel({xAxisIndex: 0}, time) + 'px';
      element.parentElement.append(cross);
    });
    timed().forEach(each => each.element.parentElement.append(valuesOf(each.chart, time, each === own)));
  };
  // The values take the place of the legend: upon the curves they would cover what they explain.
  const valuesOf = (chart, time, isOwn) => {
    const box = document.createElement('div');
    box.className = isOwn ? 'readout' : 'values';
    box.dataset.time = time;
    chart.series.forEach(series => {
      const entry = document.createElement('span');
      const value = valueAt(series, time);
      const unit = (series.right ? chart.right : chart.left).unit;
      entry.style.color = colourOf(series.colour);
      entry.dataset.series = series.name;
      entry.textContent = series.name + ': ' + (value === null ? 'no value yet' : FORMATS[unit](value) + (series.kind === 'ticks' ? ' so far' : ''));
      box.append(entry);
    });
    if (isOwn) {
      const head = document.createElement('span');
      head.textContent = [round(time, 4) + ' s', timeOfDay(time),
        data.main === undefined ? '' : signed((time - data.main / US_PER_SECOND) * 1000) + ' from ' + data.reference].filter(text => text).join(', ');
      box.append(head);
    }
    return box;
  };

  // --- a drag over a chart zooms to what it covers; a tap points
  const enablePointing = () => timed().forEach(own => {
    const {plot, element} = own;
    const shade = document.createElement('div');
    shade.style.cssText = 'position:absolute;bottom:' + GRID_BOTTOM_PX + 'px;top:' + GRID_TOP_PX + 'px;pointer-events:none;background:' + palette.stall;
    let from = null;
    const atX = event => event.clientX - element.getBoundingClientRect().left;
    const timeAt = event => plot.convertFromPixel({xAxisIndex: 0}, atX(event));
    element.onpointerdown = event => {
      if (event.pointerType !== 'mouse') { point(own, timeAt(event)); return; }
      if (event.button !== 0) { return; }
      from = atX(event);
      element.firstElementChild.append(shade);
      shade.style.width = '0';
      element.setPointerCapture(event.pointerId);
    };
    element.onpointermove = event => {
      if (from === null) {
        if (event.pointerType === 'mouse') { point(own, timeAt(event)); }
        return;
      }
      shade.style.left = Math.min(from, atX(event)) + 'px';
      shade.style.width = Math.abs(atX(event) - from) + 'px';
    };
    element.onpointerleave = hidePointed;
    element.onpointerup = event => {
      if (from === null) { return; }
      const ends = [from, atX(event)].sort((a, b) => a - b).map(x => plot.convertFromPixel({xAxisIndex: 0}, x));
      const isDrag = Math.abs(atX(event) - from) > 5;
      from = null;
      shade.remove();
      if (isDrag) { zoomTo(ends[0], ends[1]); }
    };
    element.ondblclick = () => zoomTo(whole[0], whole[1]);
    element.onkeydown = event => {
      const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
      if (event.key === 'Escape') { hidePointed(); }
      if (!step) { return; }
      point(own, (pointed === null ? (range[0] + range[1]) / 2 : pointed) + step * (range[1] - range[0]) / 100);
      event.preventDefault();
    };
  });

  // --- the rest of the page
  onClick('copy', () => {
    const text = at('replay').textContent;
    const done = () => { at('copied').textContent = 'copied'; at('copy').textContent = 'Copied'; };
    // Without the clipboard's permission, the text is selected and copied as by hand.
    const byHand = () => {
      const selection = window.getSelection();
      selection.removeAllRanges();
      const selected = document.createRange();
      selected.selectNodeContents(at('replay'));
      selection.addRange(selected);
      if (document.execCommand('copy')) { done(); }
    };
    if (navigator.clipboard) { navigator.clipboard.writeText(text).then(done, byHand); } else { byHand(); }
  });
  const showLocalTime = () => {
    const started = new Date(at('started').dateTime);
    if (!Number.isNaN(started.getTime()) && started.getTimezoneOffset() !== 0) {
      at('local').textContent = ' (' + started.toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', second: '2-digit'}) + ' here)';
    }
  };
  const openTarget = () => {
    const target = window.location.hash.slice(1);
    const element = target && at(target);
    if (element && element.tagName === 'DETAILS') { element.open = true; }
  };

  const redraw = width => {
    draw();
    if (width) {
      plots.forEach(({plot}) => { plot.resize({width}); plot.getZr().flush(); });
      drawWaterfall();
    }
    enablePointing();
  };
  const PRINT_WIDTH_PX = 680;
  let opened = [];
  dark.addEventListener('change', () => { palette = dark.matches ? DARK : LIGHT; redraw(); });
  window.addEventListener('beforeprint', () => {
    opened = Array.from(document.querySelectorAll('details:not([open])'));
    opened.forEach(each => { each.open = true; });
    palette = LIGHT;
    redraw(PRINT_WIDTH_PX);
  });
  window.addEventListener('afterprint', () => {
    opened.forEach(each => { each.open = false; });
    palette = dark.matches ? DARK : LIGHT;
    redraw();
  });
  window.addEventListener('resize', () => { plots.forEach(({plot}) => plot.resize()); drawWaterfall(); });
  window.addEventListener('hashchange', openTarget);
  document.querySelectorAll('details').forEach(each => {
    if (each.querySelector('[data-chart]')) { each.addEventListener('toggle', () => redraw()); }
  });
  enableOverview();
  redraw();
  showLocalTime();
  openTarget();
  // So that one can point at it: report.html#stall, report.html#run
  if (window.location.hash === '#run') { zoomTo(whole[0], whole[1]); }
})();
