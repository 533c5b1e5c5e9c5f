'use strict';
(() => {
  const data = JSON.parse(document.getElementById('run-data').textContent);
  const MAX_BOUNDARIES = 90;
  const TITLES_TOP_PX = 25;
  const GRID_TOP_PX = 46;
  const US_PER_SECOND = 1e6;
  // After Okabe and Ito: told apart by those who see no red or no green.
  const LIGHT = {
    ground: '#ffffff', ink: '#1b2330', faint: '#5b6676', line: '#d7dbe2', stall: 'rgba(196, 70, 1, .15)',
    mds: '#c44601', gateway: '#0b62a8', exchange: '#00866a', other: '#7a4fb5', free: '#0b62a8', cached: '#a87900',
  };
  const DARK = {
    ground: '#12161d', ink: '#e5e9f0', faint: '#9aa6b8', line: '#343d4b', stall: 'rgba(255, 138, 91, .22)',
    mds: '#ff8a5b', gateway: '#76b3f5', exchange: '#3ec9a7', other: '#c3a3f5', free: '#76b3f5', cached: '#e8bd2e',
  };
  const FONT = getComputedStyle(document.body).fontFamily;
  const NARROW_PX = 480;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let palette = dark.matches ? DARK : LIGHT;
  let range = [data.from / US_PER_SECOND, data.to / US_PER_SECOND];
  let plots = [];

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
  // The axis' title has the unit where it would take too much room beside every value.
  const AXIS_FORMATS = {memory: value => round(value / 1048576, 0)};
  const seconds = value => round(value, range[1] - range[0] < .1 ? 5 : range[1] - range[0] < 5 ? 3 : 1) + ' s';

  // A process has one colour in all charts.
  const colourOf = key => {
    const name = key.replace(/ drops$/, '');
    return palette[name] || (name.startsWith('gateway') ? palette.gateway : palette.other);
  };

  const pointsOf = series => {
    let at = 0;
    return series.x.map((step, i) => [(at += step) / US_PER_SECOND, series.y[i] / series.divisor]);
  };

  // Labels would overlap: of many boundaries only lines are drawn, of too many none.
  const boundaries = () => {
    if (!data.seconds) { return []; }
    const first = Math.ceil(range[0]);
    const last = Math.floor(range[1]);
    if (last - first > MAX_BOUNDARIES) { return []; }
    return Array.from({length: last - first + 1}, (unused, i) => ({xAxis: first + i}));
  };

  const frame = () => ({
    id: 'frame', type: 'line', data: [], silent: true,
    markLine: {
      silent: true, symbol: 'none', animation: false, label: {show: false},
      lineStyle: {color: palette.faint, type: 'dotted', width: 1, opacity: .7}, data: boundaries(),
    },
    markArea: {
      silent: true, animation: false, itemStyle: {color: palette.stall},
      data: data.stalls.map(([begin, end]) => [{xAxis: begin / US_PER_SECOND}, {xAxis: end / US_PER_SECOND}]),
    },
  });

  const lineOf = (series, points) => ({
    name: series.name, type: 'line', step: 'end', symbol: 'none', data: points, animation: false,
    yAxisIndex: series.right ? 1 : 0, color: colourOf(series.colour), emphasis: {disabled: true},
    lineStyle: {width: series.kind === 'limit' ? 1.2 : 1.5, type: series.kind === 'limit' ? 'dashed' : 'solid'},
    areaStyle: series.kind === 'area' ? {opacity: .14} : undefined,
    z: series.kind === 'area' ? 1 : 3,
  });

  // Bytes are counted in powers of two, and so are the axis' steps.
  const binaryStep = most => Math.pow(2, Math.ceil(Math.log2(Math.max(most, 4) / 4)));
  const mostOf = (chart, right) => Math.max(...chart.series.filter(series => series.right === right)
    .map(series => series.y.reduce((most, y) => Math.max(most, y), 0)));
  const byteRange = most => ({interval: binaryStep(most), max: Math.ceil(most / binaryStep(most)) * binaryStep(most)});

  const memoryRange = (chart, right) => {
    const least = Math.min(...chart.series.filter(series => series.right === right)
      .map(series => series.y.reduce((low, y) => Math.min(low, y), Infinity)));
    const step = Math.max(1048576, binaryStep(mostOf(chart, right) - least));
    return {interval: step, min: Math.floor(least / step) * step, max: Math.ceil((mostOf(chart, right) + 1) / step) * step};
  };

  const axisOf = (chart, unit, right) => ({
    type: 'value', splitNumber: 3, minInterval: unit === 'count' ? 1 : 0, min: 0,
    max: unit === 'count' ? extent => extent.max < 4 ? 4 : null : undefined,
    ...(unit === 'bytes' ? byteRange(mostOf(chart, right)) : unit === 'memory' ? memoryRange(chart, right) : {}),
    position: right ? 'right' : 'left', axisLine: {show: false}, axisTick: {show: false},
    splitLine: {show: !right, lineStyle: {color: palette.line}},
    axisLabel: {color: palette.faint, fontSize: 11, formatter: AXIS_FORMATS[unit] || FORMATS[unit], showMaxLabel: true},
  });

  const tooltip = chart => ({
    trigger: 'axis', confine: true, transitionDuration: 0, backgroundColor: palette.ground, borderColor: palette.line,
    textStyle: {color: palette.ink, fontSize: 12}, axisPointer: {type: 'line', animation: false, lineStyle: {color: palette.ink}},
    formatter: shown => {
      const box = document.createElement('div');
      const time = document.createElement('div');
      time.textContent = round(shown[0].axisValue, 6) + ' s';
      box.append(time);
      shown.forEach(item => {
        const line = document.createElement('div');
        const series = chart.series.find(each => each.name === item.seriesName);
        line.style.color = item.color;
        line.textContent = item.seriesName + ': ' + FORMATS[(series && series.right ? chart.right : chart.left).unit](item.value[1]);
        box.append(line);
      });
      return box;
    },
  });

  // In the legend as in the chart: a stroke, dashes, or an area under a stroke.
  const ICONS = {
    line: 'path://M0 4h16v2h-16z', limit: 'path://M0 4h4v2h-4zM6 4h4v2h-4zM12 4h4v2h-4z',
    area: 'path://M0 0h16v2h-16zM0 4h16v.7h-16zM0 6h16v.7h-16zM0 8h16v.7h-16zM0 10h16v.7h-16z',
  };

  const axisTitle = (text, side) => ({
    text, [side]: 0, top: TITLES_TOP_PX, padding: 0, textStyle: {color: palette.faint, fontSize: 11, fontWeight: 'normal'},
  });

  const optionOf = (chart, isLast, narrow) => ({
    animation: false, backgroundColor: 'transparent', textStyle: {fontFamily: FONT},
    grid: {left: narrow ? 58 : 78, right: narrow ? 52 : 74, top: GRID_TOP_PX, bottom: isLast ? 44 : 20},
    title: [axisTitle(chart.left.title, 'left')].concat(chart.right.unit ? [axisTitle(chart.right.title, 'right')] : []),
    legend: {
      type: 'scroll', top: 0, left: narrow ? 0 : 74, right: 0, itemWidth: 16, itemHeight: 10, align: 'left',
      textStyle: {color: palette.ink, fontSize: 12}, pageTextStyle: {color: palette.faint}, pageIconColor: palette.ink,
      pageIconInactiveColor: palette.line,
      data: chart.series.map(series => ({name: series.name, icon: ICONS[series.kind]})),
    },
    tooltip: tooltip(chart),
    xAxis: {
      type: 'value', min: data.from / US_PER_SECOND, max: data.to / US_PER_SECOND, name: isLast ? data.label : '',
      nameLocation: 'middle', nameGap: 26, nameTextStyle: {color: palette.faint, fontSize: 11},
      axisLine: {lineStyle: {color: palette.line}, onZero: false}, axisTick: {show: false}, splitLine: {show: false},
      axisLabel: {color: palette.faint, fontSize: 11, formatter: seconds, hideOverlap: true, showMinLabel: false, showMaxLabel: false}, splitNumber: 8,
    },
    yAxis: [axisOf(chart, chart.left.unit, false)].concat(chart.right.unit ? [axisOf(chart, chart.right.unit, true)] : []),
    dataZoom: [{
      type: 'inside', filterMode: 'none', startValue: range[0], endValue: range[1], zoomOnMouseWheel: 'ctrl',
      moveOnMouseWheel: false, preventDefaultMouseMove: false,
    }],
    series: [frame()].concat(chart.series.map(series => lineOf(series, pointsOf(series)))),
  });

  // --- the plot of phases
  const phaseOption = narrow => ({
    animation: false, textStyle: {fontFamily: FONT},
    grid: {left: narrow ? 58 : 78, right: narrow ? 20 : 74, top: GRID_TOP_PX, bottom: 44}, title: axisTitle('length of the stall', 'left'),
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

  // --- drawing, and saying so: a test reads what was drawn from the page
  const note = (element, plot, numbers) => {
    element.dataset.series = numbers.length;
    element.dataset.points = numbers.reduce((sum, each) => sum + each, 0);
    element.dataset.drawn = String(element.querySelectorAll('svg path').length > 0);
  };

  const draw = () => {
    const width = document.body.clientWidth;
    plots.forEach(each => each.plot.dispose());
    plots = data.charts.map((chart, i) => {
      const element = document.getElementById('chart-' + chart.id);
      const isLast = i === data.charts.length - 1;
      element.classList.toggle('last', isLast);
      const plot = echarts.init(element, null, {renderer: 'svg'});
      plot.setOption(optionOf(chart, isLast, width < NARROW_PX));
      plot.group = 'time';
      plot.on('datazoom', onZoom);
      plot.getZr().flush();
      note(element, plot, chart.series.map(series => series.x.length));
      return {plot, element, time: true};
    });
    echarts.connect('time');
    const phase = document.getElementById('chart-phase');
    if (phase) {
      const plot = echarts.init(phase, null, {renderer: 'svg'});
      plot.setOption(phaseOption(width < NARROW_PX));
      plot.getZr().flush();
      note(phase, plot, [data.phase.own.length, data.phase.others.length]);
      plots.push({plot, element: phase, time: false});
    }
  };

  // --- zooming: every chart hears of it by way of its group, and draws its own boundaries
  const onZoom = function () {
    const zoom = this.getOption().dataZoom[0];
    range = [zoom.startValue, zoom.endValue];
    this.setOption({series: [frame()]});
    showRange();
  };
  const showRange = () => {
    document.getElementById('range').textContent = seconds(range[0]) + ' to ' + seconds(range[1]);
  };
  const timed = () => plots.filter(each => each.time);
  const zoomTo = (from, to) => {
    const begin = Math.max(data.from / US_PER_SECOND, from);
    const end = Math.min(data.to / US_PER_SECOND, to);
    const first = timed()[0];
    if (first && end > begin) {
      first.plot.dispatchAction({type: 'dataZoom', startValue: begin, endValue: end});
    }
  };
  const scale = factor => {
    const middle = (range[0] + range[1]) / 2;
    const half = (range[1] - range[0]) / 2 * factor;
    zoomTo(middle - half, middle + half);
  };
  // By half of what is seen, and no further than the run.
  const pan = direction => {
    const length = range[1] - range[0];
    const begin = Math.min(Math.max(range[0] + direction * length / 2, data.from / US_PER_SECOND), data.to / US_PER_SECOND - length);
    zoomTo(begin, begin + length);
  };
  const onClick = (id, action) => {
    const button = document.getElementById(id);
    if (button) { button.addEventListener('click', action); }
  };
  const zoomToStall = () => zoomTo(data.focus[0] / US_PER_SECOND - .15, data.focus[1] / US_PER_SECOND + .45);
  onClick('zoom-all', () => zoomTo(data.from / US_PER_SECOND, data.to / US_PER_SECOND));
  onClick('zoom-stall', zoomToStall);
  onClick('zoom-in', () => scale(.5));
  onClick('zoom-out', () => scale(2));
  onClick('earlier', () => pan(-1));
  onClick('later', () => pan(1));

  // --- a drag over a chart zooms to what it covers; a tap or a finger's scroll does not
  const enableDrag = () => timed().forEach(({plot, element}) => {
    const shade = document.createElement('div');
    shade.style.cssText = 'position:absolute;bottom:20px;top:' + GRID_TOP_PX + 'px;pointer-events:none;background:' + palette.stall;
    let from = null;
    const at = event => event.clientX - element.getBoundingClientRect().left;
    element.onpointerdown = event => {
      if (event.pointerType !== 'mouse' || event.button !== 0) { return; }
      from = at(event);
      element.firstElementChild.append(shade);
      shade.style.width = '0';
      element.setPointerCapture(event.pointerId);
    };
    element.onpointermove = event => {
      if (from === null) { return; }
      shade.style.left = Math.min(from, at(event)) + 'px';
      shade.style.width = Math.abs(at(event) - from) + 'px';
    };
    element.onpointerup = event => {
      if (from === null) { return; }
      const ends = [from, at(event)].sort((a, b) => a - b).map(x => plot.convertFromPixel({xAxisIndex: 0}, x));
      const isDrag = Math.abs(at(event) - from) > 5;
      from = null;
      shade.remove();
      if (isDrag) { zoomTo(ends[0], ends[1]); }
    };
    element.ondblclick = () => zoomTo(data.from / US_PER_SECOND, data.to / US_PER_SECOND);
  });

  const redraw = width => {
    draw();
    if (width) {
      plots.forEach(({plot}) => { plot.resize({width}); plot.getZr().flush(); });
    }
    enableDrag();
  };
  const PRINT_WIDTH_PX = 680;
  dark.addEventListener('change', () => { palette = dark.matches ? DARK : LIGHT; redraw(); });
  window.addEventListener('beforeprint', () => { palette = LIGHT; redraw(PRINT_WIDTH_PX); });
  window.addEventListener('afterprint', () => { palette = dark.matches ? DARK : LIGHT; redraw(); });
  window.addEventListener('resize', () => plots.forEach(({plot}) => plot.resize()));
  redraw();
  showRange();
  // So that one can point at it: report.html#stall
  if (window.location.hash === '#stall' && data.focus) { zoomToStall(); }
})();
