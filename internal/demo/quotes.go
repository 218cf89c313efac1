package demo

import "rackwright/internal/quote"

// planQuotes plans one quote for each place in a quote's life.
func (s *seeder) planQuotes() {
	s.planSold()
	s.planOpen()
	s.planOver()
	s.planDrafts()
}

// deal starts a quote of the plan.
func (s *seeder) deal(customer, title string, owner *quote.Actor, lines ...quote.Line) *deal {
	return &deal{s: s, customer: customer, title: title, owner: owner, lines: lines}
}

// planSold: one accepted with its stock, whose reservation ends soon; one with too little stock.
func (s *seeder) planSold() {
	full := s.deal(harbour, "Two nodes for model training", &s.sales,
		section("Compute"), item("SMC-SYS-821GE-TNHR", 2),
		section("Network"), item("QM9700", 1), item("CX7-NDR-400", 4),
		section("On request"), option("NVAIE-SUB-1Y", 16))
	full.incoterm, full.place = "DAP", "Singapore"
	s.on(29, 9, full.create)
	s.on(29, 14, full.send)
	s.on(28, 10, full.view)
	s.on(26, 15, full.accept("HL-DEMO-118"))

	short := s.deal(northgate, "DGX H200 for the research cluster", &s.sales, item("DGX-H200", 3), item("QM9700", 2))
	short.incoterm, short.place = "DAP", "Exampleton"
	s.on(10, 10, short.create)
	s.on(9, 11, short.send)
	s.on(8, 9, short.view)
	s.on(5, 16, short.accept("NP-DEMO-42"))
}

// planOpen: with the customer, one not opened yet, one seen after a revision, one that ends soon.
func (s *seeder) planOpen() {
	sent := s.deal(chendao, "H100 推論叢集擴充", &s.sales,
		section("運算節點"), item("SMC-AS-8125GS-TNHR", 2),
		section("網路"), item("QM9700", 1), item("CX7-NDR-400", 2))
	sent.incoterm, sent.place = "DAP", "臺北"
	s.on(4, 10, sent.create)
	s.on(3, 15, sent.send)

	viewed := s.deal(xingwan, "70B 模型对话服务", &s.sales,
		section("计算"), item("SMC-SYS-821GE-TNHR", 4),
		section("服务"), free("上架安装与验收（演示）", "9000"),
		section("可选"), option("NVAIE-SUB-1Y", 32))
	viewed.incoterm, viewed.place = "DDP", "新加坡"
	s.on(15, 9, viewed.create)
	s.on(14, 10, viewed.send)
	s.on(13, 9, viewed.view)
	s.on(7, 9, viewed.revise("2"))
	s.on(7, 11, viewed.send)
	s.on(6, 14, viewed.view)

	ending := s.deal(beispiel, "Inference servers with H100 NVL", &s.admin, item("H100-NVL-94GB", 8), item("NVLINK-BRIDGE-H100-PCIE", 12))
	ending.incoterm, ending.place = "FCA", "Rotterdam"
	s.on(27, 10, ending.create)
	s.on(26, 10, ending.send)
	s.on(25, 8, ending.view)
}

// planOver: declined, expired, lost.
func (s *seeder) planOver() {
	declined := s.deal(harbour, "PCIe workstations", &s.sales, item("H100-PCIE-80GB", 4), item("NVLINK-BRIDGE-H100-PCIE", 6))
	s.on(20, 10, declined.create)
	s.on(20, 13, declined.send)
	s.on(19, 9, declined.view)
	s.on(12, 10, declined.decline("We rent this capacity for now and will come back in spring."))

	expired := s.deal(beispiel, "Pilot node", &s.sales, item("DELL-XE9680-H100", 1))
	s.on(42, 9, expired.create)
	s.on(41, 16, expired.send)

	lost := s.deal(northgate, "GH200 evaluation", &s.sales, item("GH200-96GB", 2))
	s.on(24, 10, lost.create)
	s.on(16, 10, lost.lose("The project was postponed by a year."))
}

// planDrafts: one with an exception to approve, one approved, one without a price, one that
// export control stops.
func (s *seeder) planDrafts() {
	awaiting := s.deal(xingwan, "第二批 H100 节点", &s.sales, section("计算"), off(item("DELL-XE9680-H100", 2), "7"))
	awaiting.internal = "Demo: the discount is above the limit and the price below the floor."
	s.on(2, 10, awaiting.create)
	s.on(1, 9, awaiting.submit)

	approved := s.deal(northgate, "H100 PCIe cards for the teaching lab", &s.sales, off(item("H100-PCIE-80GB", 8), "6"))
	approved.incoterm, approved.place = "DAP", "Exampleton"
	s.on(3, 9, approved.create)
	s.on(3, 10, approved.submit)
	s.on(2, 11, approved.approve(&s.lead, quote.Ruling{Margin: true, Reason: "Demo: first order of a new customer."}))
	s.on(2, 12, approved.approve(&s.pricing, quote.Ruling{Floor: true, Reason: "Demo: cards of the older stock."}))

	unpriced := s.deal(beispiel, "Storage network", &s.admin, item("SN4600C", 2), item("BF3-400", 8))
	unpriced.internal = "Demo: the switch has no price in the list yet; a quote with an unknown price cannot be sent."
	s.on(1, 11, unpriced.create)

	blocked := s.deal(yunling, "DGX H100 训练平台", &s.admin, item("DGX-H100", 1))
	blocked.internal = "Demo: the destination needs a licence; sending is blocked until someone records its reference."
	s.on(1, 15, blocked.create)
}
